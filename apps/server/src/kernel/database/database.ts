import type { ColumnType, Generated } from 'kysely'
import type { AssetType } from '@masthead/contract/assets/asset'
import type { ImeiLock } from '@masthead/contract/assets/device'
import type { DisconnectOutcome, SimBlock, SimState, SimStatus } from '@masthead/contract/assets/sim'

export type Json<T> = ColumnType<T, string, string>
/** A column the database fills when it is not given. */
export type Defaulted<T> = Generated<T>
/** Never written by us. */
export type Kept<T> = ColumnType<T, never, never>

/** Every table. Areas add theirs in a `tables.ts` beside their queries: `declare module './database.ts' { interface Database { … } }`. */
export interface Database {
  account: {
    id: string
    team_name: string
    currency: Defaulted<string>
    timezone: Defaulted<string>
    feature_flags: ColumnType<{ network_groups: boolean }, string | undefined, string>
    support_consent: Defaulted<boolean>
    tunnels_beside: Defaulted<boolean>
    suspended_at: Date | null
    suspended_reason: string | null
    /** Since when everybody who acts on it must have a second factor. */
    second_factor_demanded_at: Defaulted<Date | null>
    /** What each new ready SIM may use for free before it is active; null: it is active with its first session. */
    test_bytes: Defaulted<number | null>
    created_at: Defaulted<Date>
    closed_at: Defaulted<Date | null>
    /** From then on what is personal goes. */
    erase_at: Defaulted<Date | null>
    erased_at: Defaulted<Date | null>
  }
  person: {
    id: string
    account_id: string
    email: string
    /** What they are called; null: not known. */
    name: Defaulted<string | null>
    password_hash: string | null
    permissions: Defaulted<string[]>
    groups: Defaulted<string[]>
    created_at: Defaulted<Date>
    /** When somebody proved that the e-mail address is theirs. */
    email_proven_at: Defaulted<Date | null>
    /** By what; `before`: they had an account when nobody was asked. */
    email_proven_by: Defaulted<'mail' | 'provider' | 'staff' | 'before' | null>
  }
  session: {
    id_hash: Buffer
    person_id: string
    acting_as: string | null
    created_at: Defaulted<Date>
    seen_at: Defaulted<Date>
    expires_at: Date
    ip: string | null
    user_agent: string | null
    /** A name that may be shown: `id_hash` is known from the secret alone. */
    id: Defaulted<string>
    replaced_hash: Defaulted<Buffer | null>
    replaced_at: Defaulted<Date | null>
    /** The last fresh proof in it, and the last by two factors. */
    proved_at: Defaulted<Date | null>
    two_factors_at: Defaulted<Date | null>
    /** When the identity provider signed the person in anew for a proof, which counts once. */
    vouched_at: Defaulted<Date | null>
    vouched_spent: Defaulted<boolean>
  }
  membership: {
    account_id: string
    person_id: string
    permissions: string[]
    tags: Defaulted<string[]>
    created_at: Defaulted<Date>
    invited_by: Defaulted<string | null>
    invited_at: Defaulted<Date | null>
  }
  invitation: {
    account_id: string
    email: string
    permissions: string[]
    tags: Defaulted<string[]>
    invited_by: string
    inviter_id: Defaulted<string | null>
    proof_hash: Defaulted<Buffer | null>
    /** Of the link that the inviting owner hands over where no mail is sent. */
    link_hash: Defaulted<Buffer | null>
    link_expires_at: Defaulted<Date | null>
    created_at: Defaulted<Date>
    expires_at: Date
  }
  event: {
    account_id: string
    id: string
    at: Defaulted<Date>
    category: string
    action: string
    actor_kind: 'member' | 'api_key' | 'robot' | 'staff' | 'system' | 'device'
    actor_email: string
    /** The name of the API key it was done with. */
    actor_key: Defaulted<string | null>
    asset_id: string | null
    /** Of a change of many assets: what it did to this one. */
    bulk_id: Defaulted<string | null>
    ip: string | null
    request_id: string | null
    detail: Json<Record<string, unknown>>
  }
  idempotency_key: {
    scope: string
    key: string
    operation: string
    request_hash: Buffer
    reply: Json<unknown> | null
    /** What whoever was answered could do then (kept-answer.ts). */
    rights: Json<unknown> | null
    created_at: Defaulted<Date>
  }
  attempt: { key: string; count: number; window_ends_at: Date }
  job_failure: { task: string; failures: number; since: Date; last_at: Date; words: string }
  signing_key: { name: string; secret: Buffer; created_at: Defaulted<Date> }
  tag: { account_id: string; id: string; name: string; color: string; created_at: Defaulted<Date>; asset_count: Defaulted<number> }
  asset: {
    account_id: string
    id: string
    type: AssetType
    serial: string
    name: string
    created_at: Defaulted<Date>
    /** Null: it is on. */
    switched_off_at: Defaulted<Date | null>
    sim_id: string | null
    sim_status: SimStatus | null
    sim_search: Defaulted<string>
    search: Kept<string>
  }
  asset_tag: { account_id: string; asset_id: string; tag_id: string }
  sim: {
    account_id: string
    id: string
    asset_id: string
    iccid: string
    msisdn: string | null
    eid: string | null
    imei: string | null
    imei_lock: Defaulted<ImeiLock | null>
    imei_lock_default: Defaulted<ImeiLock>
    imeis: Defaulted<string[]>
    test_bytes: Defaulted<number | null>
    state: SimState
    state_changed_at: Date | null
    state_changed_by: string | null
    activated_at: Date | null
    /** When it last ceased to be active. */
    active_until: Defaulted<Date | null>
    group_id: Defaulted<string | null>
    pool_id: Defaulted<string | null>
    blocks: ColumnType<SimBlock[], string | undefined, string>
    status: Kept<SimStatus>
    created_at: Defaulted<Date>
  }
  sim_imsi: { imsi: string; account_id: string; sim_id: string; position: Defaulted<number> }
  asset_count: { account_id: string; type: AssetType; sim_status: SimStatus | ''; count: number }
  /** What reports by RADIUS, from one or more addresses. */
  gateway: {
    id: string
    name: string
    created_at: Defaulted<Date>
    /** Its packets are dropped in silence from then on. */
    disabled_at: Date | null
    /** It is none: what a feed reports hangs on it. */
    of_feed: Defaulted<boolean>
    /** It is a part of this one now, and stays until its sessions are moved there. */
    joined_into: Defaulted<string | null>
  }
  gateway_address: {
    /** Its secret is encrypted for this id. */
    id: string
    gateway_id: string
    address: string
    secret: string
    legacy: Defaulted<boolean>
    coa_port: Defaulted<number>
    created_at: Defaulted<Date>
    secret_changed_at: Date | null
    heard_at: Date | null
    packets: Defaulted<number>
  }
  sim_counter: {
    account_id: string
    sim_id: string
    /** First day of the month the two counters are of; an older one means nothing was used this month. */
    period_start: string
    bytes_up: number
    bytes_down: number
    lifetime_up: number
    lifetime_down: number
    seen_at: Date
    /** The day its two counters are of; an older one means nothing was used today. */
    day: Defaulted<string>
    day_up: Defaulted<number>
    day_down: Defaulted<number>
  }
  data_session: {
    account_id: string
    id: string
    sim_id: string
    asset_id: string
    gateway_id: string
    nas: string
    acct_session_id: string
    superseded: Defaulted<boolean>
    imsi: string | null
    apn: string | null
    ip: string | null
    rat: string | null
    mccmnc: string | null
    imei: string | null
    cell: string | null
    started_at: Date
    updated_at: Date
    heard_at: Date
    ended_at: Date | null
    end_cause: string | null
    session_time: number | null
    counter_up: Defaulted<number>
    counter_down: Defaulted<number>
    gigawords_seen: Defaulted<boolean>
    reopened_after: Date | null
    bytes_up: Defaulted<number>
    bytes_down: Defaulted<number>
    interim_seconds: number | null
    disconnect: Json<DisconnectOutcome> | null
    revision: Defaulted<number>
    heard_from: Defaulted<string | null>
    live_after: Defaulted<Date | null>
    odd: Kept<Record<string, unknown> | null>
    uncounted_up: Defaulted<number>
    uncounted_down: Defaulted<number>
    cut_asked_at: Defaulted<Date | null>
    forbidden: Defaulted<string | null>
  }
  usage_record: {
    account_id: string
    sim_id: string
    session_id: string
    event_at: Date
    received_at: Date
    bytes_up: number
    bytes_down: number
    mccmnc: string
    rat: string
    xid: Kept<string>
  }
  usage_open_hour: { account_id: string; sim_id: string; hour: Date; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }
  usage_hour: { account_id: string; sim_id: string; hour: Date; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }
  usage_day: { account_id: string; sim_id: string; day: string; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }
  /** `month`: its first day. */
  usage_month: { account_id: string; sim_id: string; month: string; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }
  account_usage_hour: { account_id: string; hour: Date; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }
  rollup_progress: { name: string; xid: string; complete_until: Date }
  quarantine: {
    id: string
    reason: string
    gateway_id: string
    nas: string
    acct_session_id: string
    identity: string
    imsi: string | null
    msisdn: string | null
    user_name: string | null
    first_at: Date
    last_at: Date
    packets: Defaulted<number>
    counter_up: Defaulted<number>
    counter_down: Defaulted<number>
    mccmnc: string | null
    rat: string | null
    last_packet: Json<Record<string, unknown>>
    state: Defaulted<'open' | 'matched' | 'discarded'>
    resolved_at: Date | null
    resolved_by: string | null
    resolve_reason: string | null
    matched_account_id: string | null
    matched_sim_id: string | null
    counted_at: Date | null
    kind: Defaulted<'unknown' | 'uncounted' | 'elsewhere' | 'unstorable'>
    /** Which use of its id: of what was left out of a session its id, else '' for the first, then `1`, `2`, … */
    use: Defaulted<string>
    account_id: Defaulted<string | null>
    session_id: Defaulted<string | null>
  }
}
