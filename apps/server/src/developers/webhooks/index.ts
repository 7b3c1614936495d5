export { createWebhook } from './create-webhook.ts'
export { testWebhook } from './send-again.ts'
export { decryptWebhookSecret, encryptWebhookSecret, signedHeaders } from './sign-webhook.ts'
export { startWebhookSender } from './webhook-sender.ts'
