import { sql, type RawBuilder } from 'kysely'

type Exported = {
  table: string
  where: (account_id: string) => RawBuilder<unknown>
  /** Columns that open something, or are ours alone. */ without: readonly string[]
}

const own = (table: string, ...without: string[]): Exported => ({
  table,
  where: (account_id) => sql`t.account_id = ${account_id}`,
  without,
})
const ofPerson = (table: string, ...without: string[]): Exported => ({
  table,
  where: (account_id) => sql`t.person_id = (select id from person where account_id = ${account_id})`,
  without,
})

/** Everything that is kept of an account and its owner, in this order. A table that is added is decided in account-export.test.ts. */
export const exportedTables: readonly Exported[] = [
  { table: 'account', where: (account_id) => sql`t.id = ${account_id}`, without: [] },
  own('person', 'password_hash'),
  own('membership'),
  own('invitation', 'proof_hash', 'link_hash'),
  ofPerson('session', 'id_hash', 'replaced_hash'),
  ofPerson('passkey', 'public_key'),
  ofPerson('identity'),
  own('tag'),
  own('asset'),
  own('asset_tag'),
  own('network_group'),
  own('asset_view'),
  own('sim'),
  own('sim_imsi'),
  own('data_session'),
  own('connection_event'),
  own('usage_record'),
  own('usage_hour'),
  own('usage_day'),
  own('usage_month'),
  own('feed_day'),
  own('sim_lapse'),
  own('usage_limit'),
  own('enforcement'),
  own('data_pool'),
  own('data_pool_term'),
  own('data_pool_asset'),
  own('data_pool_tag'),
  own('data_pool_day'),
  own('data_pool_usage'),
  own('usage_correction'),
  own('card', 'provider_id'),
  own('account_tariff'),
  own('charge'),
  own('charge_account'),
  own('sim_fee'),
  own('cost_month'),
  own('cost_sim'),
  own('core_deployment'),
  own('core_enrolment'),
  own('billing_account'),
  own('ledger_transaction'),
  own('ledger_grant'),
  own('top_up', 'provider_id', 'method_id', 'client_secret'),
  own('api_key'),
  own('webhook', 'sealed_secret', 'previous_sealed_secret'),
  own('webhook_delivery'),
  own('alert'),
  own('alert_rule'),
  own('alert_rule_firing'),
  own('notification_preference'),
  own('bulk_change'),
  own('registry_account'),
  own('registry_repository'),
  own('registry_manifest', 'content'),
  own('registry_tag'),
  own('registry_robot', 'hash'),
  own('report'),
  own('report_schedule'),
  own('event'),
  own('event_seal'),
]
