import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows of this process. The meter's figures come from its own process (see metering). */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const metrics = {
    registry,
    requests: new Histogram({
      name: 'masthead_http_request_seconds',
      help: 'Time to answer, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    liveConnections: new Gauge({ name: 'masthead_live_connections', help: 'Open live update streams', registers }),
    webhookTries: new Counter({
      name: 'masthead_webhook_tries_total',
      help: 'Tries to deliver to a webhook, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    webhookSeconds: new Histogram({
      name: 'masthead_webhook_seconds',
      help: 'Time until a receiver answered, or did not',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
    mail: new Counter({
      name: 'masthead_mail_total',
      help: 'Mails handed to the mail server, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    scans: new Counter({
      name: 'masthead_scans_total',
      help: 'Scans of images, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    jobs: new Counter({ name: 'masthead_jobs_total', help: 'Jobs done, by task and outcome', labelNames: ['task', 'outcome'], registers }),
  }
  // The first failure would be no increase otherwise.
  for (const outcome of ['sent', 'refused', 'failed']) metrics.mail.inc({ outcome }, 0)
  for (const outcome of ['delivered', 'failed', 'given_up']) metrics.webhookTries.inc({ outcome }, 0)
  for (const outcome of ['done', 'failed', 'given_up']) metrics.scans.inc({ outcome }, 0)
  return metrics
}
export type Metrics = ReturnType<typeof createMetrics>
