import Quantities
