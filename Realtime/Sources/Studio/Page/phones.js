export class Phones { constructor() {} enter() {} leave() {} connected() {} settingsChanged() {} }
