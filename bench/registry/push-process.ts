import { once } from 'node:events'
import { newLayer, push, type Place } from './layers.ts'

/** To whom, and how many megabytes each layer has. */
export type Pushes = { place: Place; megabytes: number }

const [{ place, megabytes }] = (await once(process, 'message')) as [Pushes]
let next = newLayer(megabytes)
// What is made for the next push is made before it is asked for: nothing is counted while others are measured.
process.on('message', (what: 'push' | 'prepare') => {
  if (what === 'prepare') {
    next = newLayer(megabytes)
    return void process.send!({ ms: 0 })
  }
  void push(place, next).then(
    (ms) => process.send!({ ms }),
    (error: unknown) => process.send!({ failed: String(error) })
  )
})
process.on('disconnect', () => process.exit())
process.send!({ ms: 0 })
