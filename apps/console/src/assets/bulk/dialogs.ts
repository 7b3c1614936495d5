// What appears over the list of assets, as one piece of the console: whoever ticks rows opens a dialog next, and the list itself names fewer files.
export { BulkBar } from './BulkBar.tsx'
export { BulkDialog } from './BulkDialog.tsx'
export { Changes } from './Changes.tsx'
export { CsvDialog } from './CsvDialog.tsx'
