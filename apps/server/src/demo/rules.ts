import { systemActor, type Tx } from '../kernel/app.ts'
import { createView } from '../assets/index.ts'
import { createRule, enableRule } from '../notifications/index.ts'
import { ownerEmail } from './people.ts'

const base = {
  countries: [] as string[],
  severity: 'warn' as const,
  action: 'tell' as const,
  more_actions: [],
  network_group: null,
  limit_bytes: null,
  limit_period: 'month' as const,
  lasts: 'for_good' as const,
  starts: 'now' as const,
  view_id: null,
  after_minutes: 0,
  cooldown_days: 1,
  most_sims: 20,
}

/** The rules of the demo, and what its team looks at often, made as a customer makes them; the one that would act on SIMs is left switched off, to be tried. */
export async function writeDemoRules(tx: Tx, account_id: string, now: Date) {
  const { id: person_id } = await tx.selectFrom('person').select('id').where('email', '=', ownerEmail).executeTakeFirstOrThrow()
  const owner = { ...systemActor(account_id, new Date(now.getTime() - 86_400_000)), kind: 'member' as const, email: ownerEmail, person_id }
  const views = [
    { name: 'Without service', q: 'block:any', sort: 'name', columns: [] },
    { name: 'Silent for a week', q: 'status:active silent:>7d', sort: 'last_seen_at', columns: [] },
    { name: 'Heavy this month', q: 'usage:>100MB', sort: '-usage', columns: [] },
  ] as const
  for (const view of views) await createView(tx, owner, { ...view, columns: [], shared: true })
  const silent = { ...base, severity: 'info', name: 'Silent for 6 hours', metric: 'silent_hours', threshold: 6, scope: '' } as const
  const refused = {
    ...base,
    name: 'Refused by networks',
    metric: 'refused_day',
    threshold: 5,
    scope: 'status:active',
    severity: 'info',
  } as const
  const away = { ...base, name: 'A device is away', metric: 'device_offline', threshold: 15, scope: '' } as const
  const hot = {
    ...base,
    severity: 'critical',
    name: 'A device is too hot',
    metric: 'device_temperature',
    threshold: 85,
    scope: '',
  } as const
  for (const fields of [silent, refused, away, hot]) await enableRule(tx, owner, (await createRule(tx, owner, fields)).id)
  const heavy = { ...base, name: 'Unusual use of a reefer', metric: 'usage_day', threshold: 60_000_000, scope: 'tag:cold-chain' } as const
  await createRule(tx, owner, { ...heavy, action: 'deactivate_sim' as const, after_minutes: 30 })
}
