import { DesiredState } from '@masthead/contract/devices/agent/messages'
import { deviceKeyHeader, getDesiredState } from '@masthead/contract/devices/agent/operations'

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
  const answer = await fetch(`${server.replace(/\/$/, '')}/v1${getDesiredState.path}`, {
    headers: { [deviceKeyHeader]: `${device_id}:${token}` },
    signal: AbortSignal.timeout(waits),
  })
  const said = (await answer.json().catch(() => ({}))) as { message?: string }
  if (!answer.ok) throw new Error(said.message ?? `The server answered ${answer.status}`)
  return DesiredState.parse(said)
}
