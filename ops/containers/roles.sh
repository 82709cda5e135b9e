#!/bin/sh
# Run once by PostgreSQL's image, when it makes the database: the roles of docs/operating.md#roles-of-the-database instead of its
# superuser, who afterwards has no password and comes in only inside of the container (`docker compose exec database psql`).
# Signer and reader get theirs when somebody needs them: alter role florka_signer password '…'.
set -eu
: "${POSTGRES_APP_PASSWORD:?}"
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set database="$POSTGRES_DB" \
  --set superuser="$POSTGRES_USER" --set owner="$POSTGRES_PASSWORD" --set app="$POSTGRES_APP_PASSWORD" <<'SQL'
create role florka_owner login password :'owner';
create role florka_app login password :'app';
grant pg_read_all_stats to florka_app;
create role florka_signer login;
create role florka_reader login;
alter database :"database" owner to florka_owner;
alter role :"superuser" password null;
SQL
