import { ledgerFigures } from '../billing/ledger/index.ts'
import { webhookFigures } from '../developers/webhooks/index.ts'
import type { App } from '../kernel/app.ts'
import { addDatabaseFigures } from '../kernel/database-figures.ts'
import { jobFigures } from '../kernel/jobs/job-figures.ts'
import { scanFigures } from '../registry/index.ts'
import { usageFigures } from '../usage/index.ts'

/** Figures of the whole installation, which a process with the role `api` reads from the database when they are asked for. */
export const addFigures = (app: App): void =>
  addDatabaseFigures(app, [...usageFigures, ...jobFigures, ...webhookFigures, ...ledgerFigures, ...scanFigures])
