package significance

// bootstrapOne is the bootstrap of one row by itself, as Bootstraps is of many.
func bootstrapOne(x []float64, o Options) (Interval, error) {
	means, err := resample([][]float64{x}, o)
	if err != nil {
		return Interval{}, err
	}
	return interval(x, means[0], o.level()), nil
}
