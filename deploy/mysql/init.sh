#!/bin/sh
# Runs once, when the MySQL volume is empty: one database and one account for the service, two databases for Temporal.
set -eu
mysql --user=root --password="$MYSQL_ROOT_PASSWORD" <<SQL
CREATE DATABASE IF NOT EXISTS parlance CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'parlance'@'%' IDENTIFIED BY '$PARLANCE_DATABASE_PASSWORD';
GRANT ALL ON parlance.* TO 'parlance'@'%';
CREATE USER IF NOT EXISTS 'temporal'@'%' IDENTIFIED BY '$TEMPORAL_DATABASE_PASSWORD';
GRANT ALL ON temporal.* TO 'temporal'@'%';
GRANT ALL ON temporal_visibility.* TO 'temporal'@'%';
SQL
