import { isFirstRun } from './auth/index.ts'
import { demoGreeting } from './demo/index.ts'
import type { App } from './kernel/app.ts'

/** What is said on the terminal once everything is up. */
export async function greet({ db, config }: App): Promise<string> {
  const { host, ports, roles, publicUrl, basePath, integrations, demo, demoNetwork } = config
  const shown = host.includes(':') ? `[${host}]` : host
  const lines = roles.includes('api')
    ? [`Masthead is ready at ${publicUrl ?? `http://${shown === '127.0.0.1' ? 'localhost' : shown}:${ports.http}`}`]
    : [`Masthead is ready (${roles.join(', ')})`]
  if (roles.includes('api') && publicUrl && basePath && !integrations.registryHost)
    lines.push(`Images: docker asks ${new URL(publicUrl).origin}/v2/ and knows no path, so the proxy has to hand /v2/ on to here as well`)
  if (roles.includes('meter'))
    lines.push(`RADIUS: authentication ${shown}:${ports.radiusAuth}/udp, accounting ${shown}:${ports.radiusAcct}/udp`)
  if (roles.includes('broker')) lines.push(`MQTT: devices connect to ${shown}:${ports.mqtt}, with TLS to ${shown}:${ports.mqtts}`)
  if (demo) lines.push('', demoGreeting(demoNetwork))
  else if (roles.includes('api') && (await isFirstRun(db)))
    lines.push('', 'There is no account yet: whoever opens this address first sets up the first one and is staff.')
  return `\n${lines.join('\n')}\n`
}
