import { DesiredState } from '@masthead/contract/devices/agent/messages'
import { deviceKeyHeader, getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import { ask } from './ask.ts'

const waits = 30_000 // ms

/** What this device is to run. Fails with the server's words. */
export async function fetchDesired({
  server,
  device_id,
  token,
}: {
  server: string
  device_id: string
  token: string
}): Promise<DesiredState> {
  const url = `${server.replace(/\/$/, '')}/v1${getDesiredState.path}`
  const said = await ask(url, { headers: { [deviceKeyHeader]: `${device_id}:${token}` }, waits })
  return DesiredState.parse(JSON.parse(said.toString()))
}
