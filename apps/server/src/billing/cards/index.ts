export { cardRoutes } from './routes.ts'
export { cardTasks } from './tasks.ts'
export { mountProviderHook } from './provider-hook.ts'
export { forgetCards } from './change-cards.ts'
