import type { Operation } from '@masthead/contract/kernel/operation'
import { accessTo, staffRights } from './test-access.ts'
import type { Caller } from './test-callers.ts'

type Kind = Caller['kind']

const done = '200'
const refused = '403 forbidden'
const missing = '404 not_found'
const factorDemanded = '403 second_factor_demanded'
const tokenNeeded = '403 backoffice_token_needed'

/** What is left to who lacks the second factor that the account demands: their own sign-in, their own teams. */
const isOwn = /^(auth|account|teams|backoffice)\./

/** Status and code of the answer to the right request, by who may call it alone. */
function byAccess(op: Operation, { kind, may, staff }: Caller): string {
  const { person, key } = accessTo(op)
  const forStaff = staffRights.has(person)
  if (person === 'public') return done
  if (kind === 'nobody') return '401 unauthenticated'
  if (kind === 'key') {
    if (key === 'none') return forStaff ? tokenNeeded : '403 session_needed'
    return key === 'any' || may.includes(key) ? done : refused
  }
  if (kind === 'viewing' && op.method !== 'GET') return '403 view_only'
  if (kind === 'lacking' && !forStaff && !(person === 'signed_in' && isOwn.test(op.name))) return factorDemanded
  if (forStaff) {
    if (!staff.includes('backoffice')) return tokenNeeded
    return staff.includes(person) ? done : refused
  }
  if (person !== 'signed_in' && may !== 'all' && !may.includes(person)) return refused
  if (kind === 'elsewhere' && op.path.includes('{')) return missing
  if (kind === 'limited' && op.path.includes('{asset_id}')) return missing
  return done
}

const people: Kind[] = ['owner', 'member', 'limited', 'staff', 'acting', 'elsewhere', 'lacking']
const seesAlerts = ({ may }: Caller) => may === 'all' || may.some((name) => name.startsWith('notifications.'))

/** Where the answer is another than the access says, and why. */
const exceptions: { calls: RegExp; of: Kind[]; unless?: (caller: Caller) => boolean; answer: string; why: string }[] = [
  {
    calls: /^backoffice\.enterBackoffice$/,
    of: ['owner', 'member', 'limited', 'elsewhere', 'lacking'],
    answer: '403 not_staff',
    why: 'Whoever asks for the token has none yet: that they are staff is looked up',
  },
  { calls: /^backoffice\.enterBackoffice$/, of: ['acting'], answer: '403 acting_on_team', why: 'No backoffice while acting (spec §6)' },
  { calls: /^backoffice\.stopViewing$/, of: people, answer: '409 not_viewing', why: 'They look at nobody’s account' },
  { calls: /^(backoffice\.stopViewing|auth\.logout)$/, of: ['viewing'], answer: done, why: 'It ends the looking' },
  {
    calls: /^notifications\.readAlerts$/,
    of: ['member', 'acting'],
    unless: seesAlerts,
    answer: missing,
    why: 'Everybody may mark what they see as read, and they see no alerts',
  },
  {
    calls: /^teams\.(updateInvitation|resendInvitation|makeInvitationLink|deleteInvitation|removeMember)$/,
    of: ['limited'],
    answer: '403 member_may_more',
    why: 'Those of the sample see every asset',
  },
  {
    calls: /^assets\.registerAsset$/,
    of: ['limited'],
    answer: '400 invalid_request',
    why: 'Without one of their tags they would not see it',
  },
  {
    calls: /^network_groups\.(create|preview|update|delete)NetworkGroup$/,
    of: ['limited'],
    answer: refused,
    why: 'A group is for SIMs that they do not see',
  },
  { calls: /^billing\.setCostLimits$/, of: ['limited'], answer: refused, why: 'The limits are of all SIMs, also of those they do not see' },
  {
    calls: /^(devices\.updateAgentRules|terminal\.update(SupportConsent|TunnelRules))$/,
    of: ['limited'],
    answer: refused,
    why: 'They are of all devices, also of those they do not see',
  },
  { calls: /^datapools\.(setPoolTags|updateDataPool)$/, of: ['limited'], answer: refused, why: 'A tag that they are not limited to' },
  {
    calls: /^datapools\.(getDataPool|listPoolSims|addPoolAssets|removePoolAssets)$/,
    of: ['limited'],
    answer: missing,
    why: 'No SIM of theirs draws from it',
  },
  {
    calls: /^reports\.((get|cancel|retry|delete|export)Report|(update|delete)Schedule)$/,
    of: ['limited'],
    answer: missing,
    why: 'It may tell of assets they do not see',
  },
  {
    calls: /^reports\.exportReport$/,
    of: ['member', 'acting', 'key'],
    unless: ({ may }) => may === 'all' || !may.includes('reports.view') || may.includes('assets.view'),
    answer: refused,
    why: 'Its rows are of assets, which they may not see',
  },
  {
    calls: /^reports\.(requestReport|createSchedule)$/,
    of: ['member', 'acting', 'key'],
    unless: ({ may }) => may === 'all' || !may.includes('reports.edit') || may.includes('overview.view'),
    answer: refused,
    why: 'It would tell of activities, which they may not read',
  },
  {
    calls:
      /^terminal\.(getTerminal|endTerminal|joinTerminal|exportRecording|allowSupport|refuseSupport|endSupport|getTunnel|listTunnelConnections|revokeTunnel)$/,
    of: ['limited'],
    answer: missing,
    why: 'It is of an asset that they do not see',
  },
  {
    calls: /^(assets\.getEnforcement|registry\.deployTag)$/,
    of: ['limited'],
    answer: missing,
    why: 'It is of an asset that they do not see',
  },
  {
    calls: /^assets\.((get|undo)BulkChange|listLeftAssets|exportBulkResults)$/,
    of: ['limited'],
    answer: missing,
    why: 'What others changed tells of assets they do not see',
  },
  {
    calls: /^assets\.(preview|start)BulkChange$/,
    of: ['limited', 'elsewhere'],
    answer: '400 tag_unknown',
    why: 'The tag is named in the body, and not theirs',
  },
  {
    calls: /^tags\.(create|update|delete)Tag$/,
    of: ['limited'],
    answer: refused,
    why: 'Tags limit what they see: they may not move the limit',
  },
  {
    calls: /^developers\.(?!create).*(ApiKey|Webhook|Deliveries|Delivery)$/,
    of: ['limited'],
    answer: missing,
    why: 'Keys and webhooks that reach further than they see are not theirs to see',
  },
  {
    calls: /^developers\.createWebhook$/,
    of: ['key', 'member', 'acting'],
    unless: ({ may }) => may === 'all' || !may.includes('developers.edit') || may.includes('overview.view'),
    answer: refused,
    why: 'A webhook hears what activities say, which they may not read',
  },
  {
    calls: /^activities\.getActivity$/,
    of: ['member', 'acting'],
    unless: ({ may }) => may === 'all' || may.includes('developers.view'),
    answer: missing,
    why: 'That of the sample tells of an API key',
  },
  {
    calls: /^activities\.getActivity$/,
    of: ['key'],
    unless: ({ may }) => may === 'all' || !may.includes('overview.view'),
    answer: missing,
    why: 'The scope lets it ask; to read of keys it needs developers.view, too',
  },
  { calls: /^activities\.getActivity$/, of: ['limited'], answer: missing, why: 'Keys may reach further than they see' },
  {
    calls: /^account\.removePasskey$/,
    of: ['lacking'],
    answer: '409 last_factor_demanded',
    why: 'It is their last, and the account demands one',
  },
  { calls: /^teams\.demandSecondFactor$/, of: ['member', 'limited'], answer: refused, why: 'The owner’s alone' },
  { calls: /^teams\.demandSecondFactor$/, of: ['elsewhere'], answer: '409 own_factor_missing', why: 'A code of another’s app' },
  { calls: /^account\.confirmAuthenticator$/, of: ['elsewhere'], answer: '400 code_wrong', why: 'A code of another’s app' },
  {
    calls: /^account\.(removeAuthenticator|renewRecoveryCodes)$/,
    of: ['elsewhere'],
    answer: '409 authenticator_off',
    why: 'It is another who has one',
  },
  { calls: /^account\.addPasskey$/, of: ['elsewhere'], answer: '400 passkey_refused', why: 'Made for another’s question' },
  {
    calls: /^teams\.((resend|approve|reject)Invitation|makeInvitationLink)$/,
    of: ['elsewhere'],
    answer: '404 invitation_missing',
    why: 'Invited by another, or another invited',
  },
  { calls: /^account\.mailEmailProof$/, of: ['elsewhere'], answer: '409 email_proven_already', why: 'It is another whose address is not' },
  { calls: /^account\.closeAccount$/, of: ['elsewhere'], answer: '400 invalid_request', why: 'The address they typed is another’s' },
  { calls: /^account\.reopenAccount$/, of: ['elsewhere'], answer: '409 account_not_closed', why: 'It is another’s that is closed' },
  { calls: /^account\.getExportLines$/, of: ['viewing'], answer: missing, why: 'Exports are of one’s own account, whichever is looked at' },
  { calls: /^teams\.leaveTeam$/, of: ['elsewhere'], answer: missing, why: 'It is another who is a member' },
  { calls: /^notifications\.(acknowledge|read)Alerts$/, of: ['elsewhere'], answer: missing, why: 'Named in the body' },
  {
    calls: /^notifications\.((create|update|enable|disable|silence|delete|preview)Rule|undoFiring)$/,
    of: ['limited'],
    unless: ({ may }) => may !== 'all' && !may.includes('notifications.edit'),
    answer: '403 rule_needs_all_assets',
    why: 'Rules watch all assets of the account',
  },
  {
    calls: /^notifications\.(create|update|preview)Rule$/,
    of: ['member', 'acting', 'key'],
    unless: ({ may }) => may === 'all' || !may.includes('notifications.edit') || may.includes('assets.view'),
    answer: refused,
    why: 'A rule is about assets, which they may not see',
  },
  {
    calls: /^alpon_fleets\.((create|update|delete)Fleet|publishVersion|(start|pause|resume|abort|retry)Rollout)$/,
    of: ['limited'],
    answer: refused,
    why: 'A fleet as a whole has assets that they do not see',
  },
  {
    calls: /^core\.((get|update|delete|pause|resume|revoke)Deployment|rotateToken|(list|export)Enrolments)$/,
    of: ['limited'],
    answer: missing,
    why: 'Somebody else made the deployment',
  },
  {
    calls: /^registry\.(addTag|deleteTag|deleteImage|deleteRepository|removeTags|removeUntagged|setRetention|cleanUpNow|scanImage)$/,
    of: ['owner'],
    unless: ({ name }) => name !== 'the owner of a suspended account',
    answer: '403 registry_suspended',
    why: 'A suspended account pulls, and changes nothing but what it closes',
  },
  {
    calls: /^assets\.releaseAsset$/,
    of: ['owner'],
    unless: ({ name }) => name !== 'the owner of a suspended account',
    answer: '409 sim_wrong_state',
    why: 'Nothing leaves an account that staff suspended',
  },
  {
    calls: /^terminal\.open(Terminal|Tunnel)$/,
    of: ['owner'],
    unless: ({ name }) => name !== 'the owner of a suspended account',
    answer: '409 account_suspended',
    why: 'A suspended account has no terminals and no tunnels',
  },
  {
    calls: /^devices\.claimDevice$/,
    of: ['owner'],
    unless: ({ name }) => name !== 'the owner of a suspended account',
    answer: '409 claim_suspended',
    why: 'A suspended account sets no device up',
  },
  { calls: /^datapools\.buy(Package|MoreData)$/, of: ['limited'], answer: refused, why: 'It is paid by the account for all of its assets' },
  { calls: /^registry\.chooseSlug$/, of: ['elsewhere'], answer: '409 slug_settled', why: 'Theirs has a name already' },
  {
    calls: /^billing\.get(TransactionUsage|PendingCharge)$/,
    of: ['limited'],
    answer: missing,
    why: 'It is of an asset that they do not see',
  },
  { calls: /^billing\.createTopUp$/, of: ['elsewhere'], answer: missing, why: 'The card is named in the body, and not theirs' },
  {
    calls: /^assets\.(update|delete)View$/,
    of: ['member', 'acting', 'key'],
    unless: ({ may }) => may === 'all' || !may.includes('assets.view') || may.includes('assets.edit'),
    answer: '403 view_is_shared',
    why: 'That of the sample is the team’s',
  },
]
const exceptionFor = (op: Operation, caller: Caller) =>
  exceptions.find(({ calls, of, unless }) => calls.test(op.name) && of.includes(caller.kind) && !unless?.(caller))

/** Status and code of what a caller is answered to the right request. */
export const expectedOf = (op: Operation, caller: Caller): string => exceptionFor(op, caller)?.answer ?? byAccess(op, caller)

/** Exceptions that no call and caller need any more. */
export const staleExceptions = (operations: Operation[], callers: Caller[]) =>
  exceptions.filter(
    (one) => !operations.some((op) => callers.some((who) => exceptionFor(op, who) === one && byAccess(op, who) !== one.answer))
  )
