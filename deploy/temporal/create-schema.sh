#!/bin/sh
# Creates or updates Temporal's two MySQL databases. Safe to run again: each step does only what is missing.
# Needs MYSQL_HOST, MYSQL_USER, MYSQL_PASSWORD; SQL_TOOL names another temporal-sql-tool than the one on the PATH.
set -eu
tool() {
  database=$1
  shift
  "${SQL_TOOL:-temporal-sql-tool}" --plugin mysql8 --endpoint "$MYSQL_HOST" --port "${MYSQL_PORT:-3306}" \
    --user "$MYSQL_USER" --password "$MYSQL_PASSWORD" --database "$database" "$@"
}
for pair in temporal:mysql/v8/temporal temporal_visibility:mysql/v8/visibility; do
  tool "${pair%%:*}" create-database
  tool "${pair%%:*}" setup-schema --version 0.0
  tool "${pair%%:*}" update-schema --schema-name "${pair#*:}"
done
