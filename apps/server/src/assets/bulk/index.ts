// How other areas change assets as a change of many does, and take that back.
export { grantWishes } from './grant-wishes.ts'
export { undoing, type Wish, type WishedLimit } from './wish.ts'
