-- The role and the database of the gateway in a new cluster. Run it with psql as a superuser:
-- psql --set=ON_ERROR_STOP=1 --set=password="$MARKETPLACE_PASSWORD" --file=ops/create-database.sql
CREATE ROLE marketplace LOGIN PASSWORD :'password';
CREATE DATABASE marketplace OWNER marketplace;
