// What other areas may use of changes of many assets.
export { ByFileButton } from './ByFileButton.tsx'
export { useBulkActions } from './use-bulk-actions.tsx'
export { ChangesButton } from './ChangesButton.tsx'
