import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentVersion } from '@masthead/contract/devices/agent/update'
import type { Config } from '../../kernel/config.ts'

type Offered = { version: string; sha256: string }

/** The agent that was built with this server's console, which devices get from `/agent/`. Null: none was. */
export function offeredAgent({ agentDir }: Pick<Config, 'agentDir'>): Offered | null {
  try {
    const { version, sha256 } = JSON.parse(readFileSync(join(agentDir, 'agent.json'), 'utf8')) as Offered
    return AgentVersion.safeParse(version).success && /^[0-9a-f]{64}$/.test(sha256) ? { version, sha256 } : null
  } catch {
    return null
  }
}
