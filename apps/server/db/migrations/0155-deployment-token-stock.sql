-- serves from 0030
-- Whether whoever had the token made was allowed to register assets then: else it takes only SIMs that the account has. Tokens of before were made without that question.
alter table core_deployment_token add column may_register boolean not null default true;
