import { get } from 'node:http'
import type { DevicePlan } from './device-plan.ts'

export type Server = NonNullable<DevicePlan['server']>

const waits = 10_000 // ms

/** What a server answers, whatever it is. Rejects where it does not. */
export function getFrom(
  { host, port, path, name }: Server,
  of: string,
  more: Record<string, string> = {}
): Promise<{ status: number | undefined; text: string }> {
  const headers = { ...more, ...(name && { host: name }) }
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: `${path}${of}`, headers, timeout: waits }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
      answer.on('error', reject)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', reject)
  })
}

/** The JSON of a good answer. Rejects where it is none. */
export async function ask<Answer>(server: Server, of: string, more: Record<string, string> = {}): Promise<Answer> {
  const { status, text } = await getFrom(server, of, more)
  if (status !== 200) throw new Error(`The server answered ${status}`)
  return JSON.parse(text) as Answer
}
