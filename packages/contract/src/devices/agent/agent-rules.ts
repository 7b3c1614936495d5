import * as z from 'zod/mini'
import { Window } from '../../alpon-fleets/rollout.ts'
import { Time } from '../../kernel/fields.ts'

/** So many agents of an account are updated by its rules at the same time. */
export const mostAgentUpdates = 5
/** After so many failures in a row no other update is begun. */
export const mostAgentFailures = 3
/** An update that was not made after so long has failed, ms. */
export const agentUpdateTakes = 20 * 60_000
/** So long a device is left alone after its update failed, or after somebody asked for it by hand, ms. */
export const agentLeftAloneFor = 24 * 3_600_000

/** Whether the product updates agents by itself, and when an update may begin; null: at any time. */
export const AgentRulesFields = z.object({ enabled: z.boolean(), window: z.nullable(Window) })
export type AgentRulesFields = z.output<typeof AgentRulesFields>

export const AgentRules = z.extend(AgentRulesFields, {
  /** The version that the server has; null: it brings no agent. */
  offered: z.nullable(z.string()),
  /** Since when no update is begun any more, because too many failed in a row. Setting the rules again ends it. */
  stopped: z.nullable(z.object({ at: Time, version: z.string() })),
  /** Null: nobody has set them. */
  changed_at: z.nullable(Time),
  changed_by: z.nullable(z.string()),
  /** Access of who asks is limited to some tags: the rules are of all devices, and not theirs to change. */
  limited: z.boolean(),
})
export type AgentRules = z.output<typeof AgentRules>
