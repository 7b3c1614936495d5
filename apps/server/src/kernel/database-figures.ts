import { Gauge } from 'prom-client'
import type { App } from './app.ts'

type Sample = { value: number; labels?: Record<string, string> }

/** A figure that is read from the database when it is asked for. */
export type DatabaseFigure = { name: string; help: string; labelNames?: string[]; samples: (app: App) => Promise<Sample[]> }

/** Adds these figures to `/metrics`. With the database away they are left out. */
export function addDatabaseFigures(app: App, figures: readonly DatabaseFigure[]): void {
  for (const { samples, labelNames = [], ...named } of figures) {
    new Gauge({
      ...named,
      labelNames,
      registers: [app.metrics.registry],
      async collect() {
        this.reset()
        const found = await samples(app).catch(() => null)
        // One without labels would be shown as 0.
        if (!found) return labelNames.length === 0 ? this.remove() : undefined
        for (const { value, labels = {} } of found) this.set(labels, value)
      },
    })
  }
}
