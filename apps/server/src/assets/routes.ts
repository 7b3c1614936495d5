import type { Route } from '../kernel/routes.ts'

export const assetRoutes: Route[] = []
