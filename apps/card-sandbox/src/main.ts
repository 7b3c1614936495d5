import { startSandbox } from './start-sandbox.ts'

// Alone: MASTHEAD_CARD_SANDBOX_PORT and the STRIPE_ variables are those of Masthead; CARD_SANDBOX_FILE is where objects are kept.
const { env } = process
const webhook = env.CARD_SANDBOX_WEBHOOK_URL
const sandbox = await startSandbox({
  port: Number(env.MASTHEAD_CARD_SANDBOX_PORT ?? 0),
  file: env.CARD_SANDBOX_FILE ?? null,
  secretKey: env.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
  publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? 'pk_test_sandbox',
  webhook: webhook ? { url: webhook, secret: env.STRIPE_WEBHOOK_SECRET ?? 'whsec_sandbox' } : null,
})
const stop = () => void sandbox.close().then(() => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
// Whoever started it as a child waits for this. When that is gone, the next one starts a sandbox of its own on the same file.
if (process.connected) {
  process.on('disconnect', stop)
  process.send!({ ready: true }, undefined, undefined, () => {})
} else if (process.send) stop()
else console.log(`The card sandbox listens on ${sandbox.url}`)
