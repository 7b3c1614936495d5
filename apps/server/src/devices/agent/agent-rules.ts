import type { Window } from '@masthead/contract/alpon-fleets/rollout'
import type { AgentRules, AgentRulesFields } from '@masthead/contract/devices/agent/agent-rules'
import { agentRulesSet } from '@masthead/contract/devices/events'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { record } from '../../kernel/record.ts'
import { isoOf } from '../get-device.ts'
import { offeredAgent } from './offered-agent.ts'

type Built = Pick<Config, 'agentDir'>

export async function getAgentRules(db: Db, config: Built, { account_id, tags }: Pick<Actor, 'account_id' | 'tags'>): Promise<AgentRules> {
  const row = await db.selectFrom('agent_rules').selectAll().where('account_id', '=', account_id).executeTakeFirst()
  return {
    enabled: row?.enabled ?? false,
    window: row?.maintenance_window ?? null,
    offered: offeredAgent(config)?.version ?? null,
    stopped: row?.stopped_at ? { at: row.stopped_at.toISOString(), version: row.stopped_version ?? '' } : null,
    changed_at: isoOf(row?.changed_at ?? null),
    changed_by: row?.changed_by ?? null,
    limited: tags.length > 0,
  }
}

/** Sets the rules; where they had stopped, it goes on. Set as they are, nothing is changed. Throws forbidden. */
export async function updateAgentRules(tx: Tx, config: Built, actor: Actor, { enabled, window }: AgentRulesFields): Promise<AgentRules> {
  const { account_id, at, email } = actor
  if (actor.tags.length > 0)
    throw new Problem(forbidden, 'Your access is limited to some tags, so you cannot change what becomes of all agents')
  const before = await tx.selectFrom('agent_rules').selectAll().where('account_id', '=', account_id).forUpdate().executeTakeFirst()
  const isSo = (before?.enabled ?? false) === enabled && isSame(before?.maintenance_window ?? null, window)
  if (isSo && !before?.stopped_at) return getAgentRules(tx, config, actor)
  const row = {
    enabled,
    maintenance_window: window && JSON.stringify(window),
    changed_at: at,
    changed_by: email,
    failures: 0,
    stopped_at: null,
    stopped_version: null,
  }
  await tx
    .insertInto('agent_rules')
    .values({ account_id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  await record(tx, actor, agentRulesSet, { enabled, in_window: window !== null })
  return getAgentRules(tx, config, actor)
}

function isSame(one: Window | null, other: Window | null): boolean {
  if (!one || !other) return one === other
  const said = ({ days, from_minute, to_minute, timezone }: Window) => JSON.stringify([days.toSorted(), from_minute, to_minute, timezone])
  return said(one) === said(other)
}
