import type { Route } from '../kernel/routes.ts'

export const authRoutes: Route[] = []
