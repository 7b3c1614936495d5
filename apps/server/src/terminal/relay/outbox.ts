import { perMessage } from './ends.ts'

type Message = string | Buffer
type Given = {
  hasRoom: () => boolean
  /** Of one that is not there any more it goes nowhere. */
  send: (message: Message) => void
}

const pumpsEvery = 20 // ms

/**
 * What goes to a device by a channel: in the order that it came, as the channel has room, since a paste of which a piece is missing runs what nobody wrote.
 * What waits is counted as it comes and goes, because it is asked for with each key.
 */
export class Outbox {
  #given: Given
  #waiting: { message: Message; sent: () => void }[] = []
  #pumping: NodeJS.Timeout | undefined
  untaken = 0

  constructor(given: Given) {
    this.#given = given
  }

  say(message: Message, sent = () => {}): void {
    this.#waiting.push({ message, sent })
    this.untaken += message.length + perMessage
    this.#pump()
  }

  #pump() {
    for (let next = this.#waiting[0]; next && this.#given.hasRoom(); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.untaken -= next.message.length + perMessage
      this.#given.send(next.message)
      next.sent()
    }
    if (this.#waiting.length > 0 && !this.#pumping)
      this.#pumping = setTimeout(() => {
        this.#pumping = undefined
        this.#pump()
      }, pumpsEvery)
  }
}
