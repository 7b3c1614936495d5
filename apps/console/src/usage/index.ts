// What other areas may use of usage.
export { intervalStarts, periodWords } from './period.ts'
export { changeWords, figure, forecastBytes } from './usage-words.ts'
