-- The role and the database of the gateway in a new cluster; the password comes from MARKETPLACE_PASSWORD.
CREATE ROLE marketplace LOGIN PASSWORD :'password';
CREATE DATABASE marketplace OWNER marketplace;
