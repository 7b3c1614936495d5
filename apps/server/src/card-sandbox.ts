import { join } from 'node:path'
import type { Logger } from 'pino'
import { startChild, type Child } from './children.ts'
import type { Config } from './kernel/config.ts'
import { chooseCardSandboxPort } from './ports.ts'

// It moves no money and takes test cards alone: its keys are no secret.
const [secretKey, publishableKey, webhookSecret] = ['sk_test_sandbox', 'pk_test_sandbox', 'whsec_sandbox']

/** The configuration with the demo's card provider, where none is configured: a sandbox on this machine, at a port that is free. */
export async function withCardSandbox(config: Config): Promise<Config> {
  if (!config.cardSandbox || !config.roles.includes('api')) return config
  const api = `http://127.0.0.1:${await chooseCardSandboxPort(config.cardSandbox)}`
  const cardProvider = { publishableKey, secretKey, webhookSecret, api, script: `${api}/v3/` }
  return { ...config, integrations: { ...config.integrations, cardProvider } }
}

/** Starts the sandbox of `withCardSandbox`; null where there is another provider, or none. */
export function startCardSandbox({ cardSandbox, integrations, ports, host, basePath, dataDir }: Config, log: Logger): Child | null {
  const api = cardSandbox && integrations.cardProvider?.api
  if (!api) return null
  const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return startChild({
    name: 'card sandbox',
    module: '../../card-sandbox/src/main.ts',
    env: {
      MASTHEAD_CARD_SANDBOX_PORT: new URL(api).port,
      CARD_SANDBOX_FILE: join(dataDir, 'card-sandbox.jsonl'),
      CARD_SANDBOX_WEBHOOK_URL: `http://${own.includes(':') ? `[${own}]` : own}:${ports.http}${basePath}/hooks/stripe`,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
    log,
    nodeArgs: ['--max-semi-space-size=2'],
  })
}
