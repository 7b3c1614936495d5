import { Gauge } from 'prom-client'
import type { App } from './app.ts'

type Sample = { value: number; labels?: Record<string, string> }

/** A figure that is read from the database when it is asked for. */
export type DatabaseFigure = { name: string; help: string; labelNames?: string[]; samples: (app: App) => Promise<Sample[]> }

/** Adds these figures to `/metrics`. They are left out with the database away, or silent for `patience`, ms: Prometheus waits for 10 s for all of a process. */
export function addDatabaseFigures(app: App, figures: readonly DatabaseFigure[], { patience = 5000 } = {}): void {
  for (const { samples, labelNames = [], ...named } of figures) {
    new Gauge({
      ...named,
      labelNames,
      registers: [app.metrics.registry],
      async collect() {
        this.reset()
        const { promise: tooLate, resolve } = Promise.withResolvers<null>()
        const timer = setTimeout(() => resolve(null), patience)
        const found = await Promise.race([samples(app).catch(() => null), tooLate]).finally(() => clearTimeout(timer))
        // One without labels would be shown as 0.
        if (!found) return labelNames.length === 0 ? this.remove() : undefined
        for (const { value, labels = {} } of found) this.set(labels, value)
      },
    })
  }
}
