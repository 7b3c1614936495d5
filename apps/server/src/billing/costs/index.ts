export { poolPrices } from './cost-queries.ts'
export { costRoutes } from './routes.ts'
export { getTransactionUsage } from './transaction-usage.ts'
