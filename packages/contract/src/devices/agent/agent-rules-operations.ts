import { operation } from '../../kernel/operation.ts'
import { forbidden } from '../../kernel/problem.ts'
import { AgentRules, AgentRulesFields } from './agent-rules.ts'

export const getAgentRules = operation({
  name: 'devices.getAgentRules',
  method: 'GET',
  path: '/agent-rules',
  summary: 'Whether the agents of the account are updated automatically',
  access: 'assets.view',
  reply: AgentRules,
})

/**
 * Agents that are online and older than the version of this server are then asked to update, five at a time. A device whose update failed is left alone for
 * 24 hours. After three failures in a row no other update is begun until the rules are set again.
 */
export const updateAgentRules = operation({
  name: 'devices.updateAgentRules',
  method: 'PUT',
  path: '/agent-rules',
  summary: 'Set whether the agents of the account are updated automatically',
  access: 'assets.edit',
  body: AgentRulesFields,
  reply: AgentRules,
  problems: [forbidden],
})
