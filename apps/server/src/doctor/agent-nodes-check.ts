import { AgentNodes, agentNodesDir } from '../devices/agent-node/index.ts'
import type { Config } from '../kernel/config.ts'
import { ok, warn } from './finding.ts'

/** Whether what the operator put there for devices to run on is served. Nothing is packed. */
export async function checkAgentNodes(config: Config) {
  const { nodes, refused } = await new AgentNodes(config, { onFailure: () => {} }).given()
  const dir = agentNodesDir(config)
  const findings = refused.map(({ file, why }) => warn(`${file} in ${dir} ${why}`, 'Bring it anew from nodejs.org, or take it out'))
  if (findings.length > 0) return findings
  const named = nodes.map(({ kind, version }) => `${kind} ${version}`).join(', ')
  return ok(named ? `They get Node.js from here: ${named}` : `${dir} has no Node.js for them`)
}
