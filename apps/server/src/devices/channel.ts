/** The NOTIFY channel to the brokers: `due DEVICE_ID`, there is something to publish to it; `cut DEVICE_ID`, its connection ends. */
export const devicesChannel = 'masthead_devices'
