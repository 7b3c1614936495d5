// What opens over the list of assets, as one piece of the console: most who open one open another, and the list itself names one file less.
export { BulkDialog } from './BulkDialog.tsx'
export { Changes } from './Changes.tsx'
export { CsvDialog } from './CsvDialog.tsx'
