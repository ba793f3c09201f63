#!/bin/sh
# Chromium that yields to the service on the same machine, whose media host refuses calls while it is late.
exec nice -n 10 "$CHROMIUM" "$@"
