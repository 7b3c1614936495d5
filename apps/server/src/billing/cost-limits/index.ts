export { blockAtCostCaps } from './block-at-caps.ts'
export { notifyExpensive, notifyOfNewLimits } from './notify-expensive.ts'
export { costLimitRoutes } from './routes.ts'
export { costLimitTasks } from './tasks.ts'
