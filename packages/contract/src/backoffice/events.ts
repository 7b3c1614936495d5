import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

export const backofficeEntered = event({
  name: 'backoffice.entered',
  detail: z.object({ reason: z.string() }),
  sentence: 'Entered the backoffice: {reason}',
})
export const backofficeLeft = event({
  name: 'backoffice.left',
  detail: z.object({}),
  sentence: 'Left the backoffice',
})
export const inventoryLoaded = event({
  name: 'backoffice.inventory_loaded',
  detail: z.object({ loaded: z.int(), failed: z.int(), account: z.nullable(z.string()) }),
  sentence: ({ account }) => (account ? 'Registered {loaded} assets for {account}' : 'Loaded {loaded} assets into stock'),
})
