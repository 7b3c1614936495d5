import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { deviceKeyHeader, getDesiredState } from '@masthead/contract/devices/agent/device-operations'

const waits = 8000 // ms

/** Whether the server answers this device, on a connection of its own: one that was open before may still lead another way. */
export function reachServer({ server, device_id, token }: { server: string; device_id: string; token: string }): Promise<boolean> {
  const url = `${server.replace(/\/$/, '')}/v1${getDesiredState.path}`
  const get = url.startsWith('https:') ? getSecure : getPlain
  return new Promise((resolve) => {
    const headers = { [deviceKeyHeader]: `${device_id}:${token}` }
    const request = get(url, { agent: false, headers, signal: AbortSignal.timeout(waits) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}
