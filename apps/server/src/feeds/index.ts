// What other areas may use of feeds.
export { addFeed } from './change-feed.ts'
export { storeFile } from './files/store-file.ts'
