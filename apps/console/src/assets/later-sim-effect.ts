import { later } from '../kit/later.tsx'

/** What follows at once for a SIM is read once something is chosen for it. */
export const SimEffect = later(() => import('./SimEffect.tsx').then((file) => file.SimEffect))
