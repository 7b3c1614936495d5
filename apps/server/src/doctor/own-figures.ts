import { isIP } from 'node:net'
import type { Config } from '../kernel/config.ts'

/** By which address this machine reaches what binds `host`. */
export const hostHere = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

export function addressHere(host: string, port: number): string {
  const here = hostHere(host)
  return `http://${isIP(here) === 6 ? `[${here}]` : here}:${port}`
}

/** Where this process says whether it is ready: without the role `api`, at the port for figures. */
export const readinessAddress = ({ host, ports, roles, metrics }: Config): string =>
  roles.includes('api') ? addressHere(host, ports.http) : addressHere(metrics.host, metrics.port)

/** `parts`: those that the process has, by name. */
type Readiness = { ok: boolean; parts: Record<string, boolean>; words: string[] }

/** What `/readyz` of ours at this address says; null where nothing of ours answers. */
export async function askReadiness(address: string): Promise<Readiness | null> {
  const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(() => null)
  const said = (await answer?.json().catch(() => null)) as Partial<Readiness> | null | undefined
  return typeof said?.ok === 'boolean' ? { ok: said.ok, parts: said.parts ?? {}, words: said.words ?? [] } : null
}

/** `isRefused`: by a token that is not ours. */
export type Figures = { text: string } | { why: string; isRefused?: boolean }

/** The figures of the Masthead that runs here, or why there are none to be had. */
export async function askFigures({ metrics: { host, port, token } }: Config): Promise<Figures> {
  const address = `${addressHere(host, port)}/metrics`
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(4000) })
    const text = await answer.text()
    if (answer.status === 403) return { why: `${address} does not take the token of MASTHEAD_METRICS_TOKEN`, isRefused: true }
    return answer.ok && /^# TYPE masthead_/m.test(text) ? { text } : { why: `What answers at ${address} is another program` }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } }
    return { why: `Nothing answers at ${address} (${cause?.code ?? message})` }
  }
}
