import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'

const connack = 4 // bytes
/** As a device says it, so that it is stored. */
const report = Buffer.from(
  JSON.stringify({ type: 'data_monitoring', mid: '0001', data: { signal_quality: 'good', active_interface: 'wwan0' } }).padEnd(100)
)
const window = 16 // publishes that wait for their answers at once

/** A connection that costs the generator as little as possible: packets made once, answers counted by their bytes. */
export class RawDevice {
  #socket: Socket
  #received = 0
  #heard: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (piece) => {
      this.#received += piece.length
      this.#heard()
    })
    socket.on('error', () => {})
    socket.on('close', () => this.#heard())
  }

  static async connect(port: number, username: string, password: string): Promise<RawDevice> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    const device = new RawDevice(socket)
    const clientId = `device/${username}`
    const common = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 600 } as const
    socket.write(generate({ ...common, clientId, username, password: Buffer.from(password) }))
    await device.#until(connack)
    return device
  }

  /** A report by QoS 1, 100 bytes each; resolves once all are answered. */
  async publish(topic: string, count: number): Promise<void> {
    const begun = this.#received
    const packet = (messageId: number) => generate({ cmd: 'publish', topic, payload: report, qos: 1, messageId, retain: false, dup: false })
    for (let sent = 0; sent < count;) {
      const part = Math.min(window, count - sent)
      this.#socket.write(Buffer.concat(Array.from({ length: part }, (_, i) => packet(((sent + i) % 65_000) + 1))))
      sent += part
      await this.#until(begun + sent * 4)
    }
  }

  close() {
    this.#socket.destroy()
  }

  async #until(bytes: number): Promise<void> {
    while (this.#received < bytes) {
      if (this.#socket.destroyed) throw new Error('the broker ended a connection')
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
  }
}
