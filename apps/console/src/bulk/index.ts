// What other areas may use of changes of many assets.
export { useBulkActions } from './use-bulk-actions.tsx'
