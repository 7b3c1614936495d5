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
export const staffGranted = event({
  name: 'backoffice.staff_granted',
  detail: z.object({ email: z.string(), permissions: z.array(z.string()) }),
  sentence: 'Gave staff access to {email}',
})
export const staffRevoked = event({
  name: 'backoffice.staff_revoked',
  detail: z.object({ email: z.string() }),
  sentence: 'Took staff access from {email}',
})
export const inventoryLoaded = event({
  name: 'backoffice.inventory_loaded',
  detail: z.object({ loaded: z.int(), failed: z.int(), account: z.nullable(z.string()) }),
  sentence: ({ account }) => (account ? 'Registered {loaded} assets for {account}' : 'Loaded {loaded} assets into stock'),
})
