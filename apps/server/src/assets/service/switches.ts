import type { SimBlock } from '@masthead/contract/assets/sim'

// Decisions that concern many SIMs. They count from the transaction that made them, for the next Access-Request and the next cut; the rows of
// the SIMs follow them, at once for an asset's, by a job for an account's and a pool's.

/** What an account that is suspended holds against its SIMs. */
export const suspendedBlock = ({ suspended_at, suspended_reason }: { suspended_at: Date; suspended_reason: string | null }): SimBlock => ({
  code: 'account_suspended',
  since: suspended_at.toISOString(),
  by: 'staff',
  words: suspended_reason ?? suspendedWords,
  clears: 'When staff resume the account',
})

/** What an asset that is switched off holds against its SIMs. */
export const switchedOffBlock = ({ by, at }: { by: string; at: Date }): SimBlock => ({
  code: 'asset_off',
  since: at.toISOString(),
  by,
  words: switchedOffWords,
  clears: 'When the asset is switched on',
})

/** What is held against SIMs whose data pools give nothing more. */
export const poolExhaustedBlock = ({ reached_at, ...words }: { reached_at: Date; words: string; clears: string }): SimBlock => ({
  code: 'pool_exhausted',
  since: reached_at.toISOString(),
  by: 'system',
  ...words,
})

/** What is held against SIMs whose next byte would be charged, wherever they are, while no credits are left. */
export const balanceBlock = (at: Date): SimBlock => ({
  code: 'balance',
  since: at.toISOString(),
  by: 'system',
  words: balanceWords,
  clears: 'When credits are added, or the SIM has data in a pool',
})

const balanceWords = 'The account has no credits left'
const poolWords = 'The data pool is used up'
const suspendedWords = 'The account is suspended'
const switchedOffWords = 'The asset is switched off'

/** Who does not allow a SIM to be on a network, by the words for it: what the database says of pools (`pool_refusal`) begins so, and nothing of a group. */
export const refuserOf = (words: string): 'balance' | 'pool' | 'price' | 'group' =>
  starts.find(([start]) => words.startsWith(start))?.[1] ?? 'group'
const starts = [
  ['No credits are left', 'balance'],
  ['The data pool ', 'pool'],
  ['Data on the network ', 'price'],
] as const

/**
 * The same as SQL, by the SIM's alias: in words, null where nothing was decided. As subqueries, so that they join to whatever finds the SIM.
 */
export const switchesOf = (sim: string) => ({
  asset_off: `(select case when asset.switched_off_at is not null then '${switchedOffWords}' end from asset
    where asset.account_id = ${sim}.account_id and asset.id = ${sim}.asset_id)`,
  account_suspended: `(select case when account.suspended_at is not null then coalesce(account.suspended_reason, '${suspendedWords}') end
    from account where account.id = ${sim}.account_id)`,
  // A pool that is paid for and not used up goes on, and so does one that gives a share more for nothing, and a free test. Where data costs nothing somewhere, SIMs are refused elsewhere alone.
  balance: `(select case when charged.used_up_at is not null and not charged.has_free_data and not in_free_test(${sim}.account_id, ${sim}.id) and not exists (select from data_pool_sim member
      join data_pool pool on pool.account_id = member.account_id and pool.id = member.pool_id and pool.ended_at is null
      join data_pool_term term on term.account_id = pool.account_id and term.pool_id = pool.id and term.starts_at = pool.term_starts_at
        and (term.used_up_at is null or pool.overage_policy = 'percent' and term.exhausted_at is null)
      where ${sim}.pool_id is not null and member.account_id = ${sim}.account_id and member.sim_id = ${sim}.id) then '${balanceWords}' end
    from charge_account charged where charged.account_id = ${sim}.account_id)`,
  // One pool that gives data is enough.
  pool_exhausted: `(select case when count(*) > 0 and bool_and(term.exhausted_at is not null) then '${poolWords}' end from data_pool_sim member
    join data_pool pool on pool.account_id = member.account_id and pool.id = member.pool_id and pool.ended_at is null
    join data_pool_term term on term.account_id = pool.account_id and term.pool_id = pool.id and term.starts_at = pool.term_starts_at
    where ${sim}.pool_id is not null and member.account_id = ${sim}.account_id and member.sim_id = ${sim}.id)`,
})
