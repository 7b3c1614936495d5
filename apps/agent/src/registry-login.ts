import { deviceKeyHeader, getRegistryLogin } from '@masthead/contract/devices/agent/device-operations'
import { ask } from './ask.ts'
import type { RegistryLogin } from './engine/engine.ts'

const waits = 30_000 // ms

/** What to pull an image with; null: with nothing. Images of other registries get nothing of ours. Fails with the server's words. */
export async function registryLoginFor(
  image: string,
  { server, device_id, token }: { server: string; device_id: string; token: string }
): Promise<RegistryLogin | null> {
  const [host = '', ...path] = image.split('/')
  // Without a dot or a port an engine takes the first part for a name at Docker Hub, or looks for it in several registries.
  if (path.length === 0 || !/[.:]/.test(host)) return null
  const url = `${server.replace(/\/$/, '')}/v1${getRegistryLogin.path}`
  const said = await ask(url, { headers: { [deviceKeyHeader]: `${device_id}:${token}` }, waits })
  const { hosts, username, password } = getRegistryLogin.reply.parse(JSON.parse(said.toString()))
  return isOneOf(hosts, host, server) ? { username, password, serveraddress: host } : null
}

/** Whether a registry, as an image names it, is the server by one of its names. */
export function isOneOf(hosts: readonly string[], host: string, server: string): boolean {
  // An image may name the port that HTTPS has anyway.
  const plain = (each: string) => (server.startsWith('https:') ? each.toLowerCase().replace(/:443$/, '') : each.toLowerCase())
  return hosts.map(plain).includes(plain(host))
}
