export { startWebhookSender } from './webhook-sender.ts'
